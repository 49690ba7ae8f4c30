// Runs a program of WASI as node's own: with its arguments, variables, files and exit code.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [file, ...rest] = process.argv.slice(2);
const wasi = new WASI({
  version: "preview1",
  args: [file, ...rest],
  env: process.env,
  preopens: { "/": "/" },
});
const program = await WebAssembly.compile(await readFile(file));
const instance = await WebAssembly.instantiate(program, wasi.getImportObject());
process.exitCode = wasi.start(instance);
