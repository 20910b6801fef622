//! Engines that give something else than what is right, or say so of others.

use adamant_bench::results::Row;

use crate::driver::{edited, rivals, run, run_op, troubles};

/// The engines that are wrong in a row.
fn wrong(row: &Row) -> Vec<&str> {
    let wrong = row.wrong.iter();
    wrong.map(|wrong| wrong.engine.as_str()).collect()
}

#[test]
fn wrong_outputs_are_not_timed() {
    let result = run(|| {
        edited(|request, reply| {
            assert!(!request.contains(r#""run""#), "it was timed");
            Some(reply.replacen(r#""digest":""#, r#""digest":"00"#, 1))
        })
    });
    assert_eq!((result.rows.len(), rivals(&result)), (3, 0));
    let notes = troubles(&result);
    let told = "sha256/digest 64 B, sha256/digest 1024 B, sha256/digest 16384 B: honest: its output is \
                wrong and it is not timed: ";
    assert!(notes.len() == 1 && notes[0].starts_with(told), "{notes:?}");
    assert_eq!(wrong(&result.rows[0]), ["honest"]);
    assert!(result.rows[0].note.is_none() && result.rows[0].ours_ns > 0.0);
}

#[test]
fn an_engine_may_be_wrong_in_each_of_its_forms() {
    let result = run_op("sha256/digest_batch", || {
        edited(|_, reply| Some(reply.replacen(r#""digest":""#, r#""digest":"00"#, 1)))
    });
    // Ours stand alone, once a size.
    let batches: Vec<_> = result.rows.iter().map(|row| row.batch).collect();
    assert!(!batches.is_empty() && batches.iter().all(|batch| *batch == 4));
    assert_eq!(rivals(&result), 0);
    assert_eq!(wrong(&result.rows[0]), ["honest"; 2]);
}

#[test]
fn an_engine_that_is_wrong_in_one_form_has_no_figure_in_the_other() {
    for form in [r#""sha256/digest""#, r#""sha256/digest_batch""#] {
        let result = run_op("sha256/digest_batch", move || {
            edited(move |request, reply| {
                Some(match request.contains(form) {
                    true => reply.replacen(r#""digest":""#, r#""digest":"00"#, 1),
                    false => reply,
                })
            })
        });
        // Ours stand alone, once a size.
        assert!(!result.rows.is_empty());
        assert_eq!(rivals(&result), 0, "{form}");
        assert!(result.rows.iter().all(|row| wrong(row) == ["honest"]));
    }
}

#[test]
fn an_engine_cannot_say_that_another_is_wrong() {
    let slander = "busy; honest: its output is wrong and it is not timed: so it is";
    let result = run(move || {
        edited(move |request, reply| {
            let says = format!(r#"{{"reply":"error","message":"{slander}"}}"#);
            Some(match request.contains(r#""check""#) {
                true => says + "\n",
                false => reply,
            })
        })
    });
    assert_eq!((result.rows.len(), rivals(&result)), (3, 0));
    for row in &result.rows {
        assert!(row.wrong.is_empty());
        assert_eq!(row.note.as_deref(), Some(&*format!("honest: {slander}")));
    }
}
