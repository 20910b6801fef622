// A field that narrows the tables of operations to the names that contain what is typed.
// Without scripts the page has everything, only not this field.
const section = document.getElementById('operations');
if (section) {
  const label = document.createElement('label');
  label.className = 'filter';
  label.textContent = 'Show ';
  const field = document.createElement('input');
  field.type = 'search';
  field.placeholder = 'part of a name, such as sha256';
  label.append(field);
  const count = document.createElement('output');
  label.append(count);
  section.querySelector('p').after(label);
  const groups = [...section.querySelectorAll('details')].map(details => ({
    details, open: details.open, rows: [...details.querySelectorAll('tbody tr')],
  }));
  field.addEventListener('input', () => {
    const wanted = field.value.trim().toLowerCase();
    let shown = 0;
    for (const { details, open, rows } of groups) {
      let here = 0;
      for (const row of rows) {
        row.hidden = !row.firstChild.textContent.toLowerCase().includes(wanted);
        here += !row.hidden;
      }
      details.hidden = here === 0;
      details.open = wanted ? here > 0 : open;
      shown += here;
    }
    count.textContent = wanted ? ` ${shown} rows` : '';
  });
}
