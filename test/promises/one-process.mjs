// Runs many commands of the built command line one after another in this process: loading the program takes longer than most of
// them. Each import evaluates the entry file again and shares what it loads.
//   fork("one-process.mjs", [MAIN_JS]); send({ words }), receive({ code, stdout, stderr })
import { pathToFileURL } from "node:url";

const [main] = process.argv.slice(2);
let count = 0;

class Exit extends Error {}
process.exit = (code) => {
  process.exitCode = code ?? process.exitCode;
  throw new Exit();
};
process.setMaxListeners(0);
process.stdout.setMaxListeners(0);
process.stderr.setMaxListeners(0);

process.on("message", async ({ words }) => {
  const stdout = capture(process.stdout);
  const stderr = capture(process.stderr);
  process.argv = [process.execPath, main, ...words];
  process.exitCode = undefined;
  try {
    count += 1;
    await import(`${pathToFileURL(main)}?${count}`);
  } catch (error) {
    if (!(error instanceof Exit)) {
      stderr.text += String(error.stack);
      process.exitCode = 70;
    }
  }
  const code = process.exitCode ?? 0;
  stdout.release();
  stderr.release();
  process.exitCode = 0;
  process.send({ code, stdout: stdout.text, stderr: stderr.text });
});
process.send("ready");

function capture(stream) {
  const write = stream.write;
  const captured = {
    text: "",
    release() {
      stream.write = write;
    },
  };
  stream.write = (chunk, encoding, done) => {
    captured.text += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
    const callback = typeof encoding === "function" ? encoding : done;
    callback?.();
    return true;
  };
  return captured;
}
