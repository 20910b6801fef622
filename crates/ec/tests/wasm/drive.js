// Drives the module: each line of standard input is an operation, how many times to do it, and its
// bytes in hex; each line of standard output the answer in hex or "refused", and the nanoseconds of
// one time.
const fs = require("fs");
const module_ = new WebAssembly.Module(fs.readFileSync(process.argv[2]));
const { buffer, run, memory } = new WebAssembly.Instance(module_, {}).exports;
const answers = [];
for (const line of fs.readFileSync(0, "utf8").trim().split("\n")) {
  const [operation, times, hex] = line.split(" ");
  const input = Buffer.from(hex || "", "hex");
  new Uint8Array(memory.buffer, buffer(), input.length).set(input);
  const start = process.hrtime.bigint();
  const length = run(Number(operation), input.length, Number(times));
  const ns = Number(process.hrtime.bigint() - start) / Number(times);
  const output = length < 0 ? "refused" : Buffer.from(memory.buffer, buffer(), length).toString("hex");
  answers.push(`${output} ${ns.toFixed(0)}`);
}
console.log(answers.join("\n"));
