// A program that judges: reads a prompt on standard input and prints a reply of the shape that the prompt asks for. Its first
// word makes it misbehave. Run by the tests of `--judge command:"…"`.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { seededReply } from "../../dist/testing/index.js";

const [behaviour = "answer", log] = process.argv.slice(2);
const MEGABYTE = 1024 * 1024;

async function answer() {
  const prompt = await text(process.stdin);
  if (log) appendFileSync(log, `${JSON.stringify({ characters: prompt.length })}\n`);
  let state = prompt.length;
  const random = () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return seededReply({ messages: [{ role: "user", content: prompt }], schema: null }, random);
}

switch (behaviour) {
  case "answer":
    // As a chat assistant does: some words, and the answer in a fence.
    process.stdout.write(`Here is my answer.\n\n\`\`\`json\n${await answer()}\n\`\`\`\n`);
    break;
  case "login":
    // Ends well and says nothing useful, until the file is there.
    process.stdout.write(existsSync(log) ? await answer() : "Please run /login first\n");
    break;
  case "forgets": {
    // Answers four questions, then wants a login, until the file beside the log is there.
    const asked = existsSync(log) ? readFileSync(log, "utf8").split("\n").length - 1 : 0;
    const reply = await answer();
    process.stdout.write(asked < 4 || existsSync(`${log}.in`) ? reply : "Please run /login first\n");
    break;
  }
  case "hang":
    process.stderr.write("Waiting for your approval\n");
    if (log) appendFileSync(log, `${process.pid}\n`);
    setInterval(() => {}, 1000);
    break;
  case "flood":
    for (let written = 0; written < 100; written++) {
      if (!process.stdout.write("x".repeat(MEGABYTE)))
        await new Promise((resolve) => process.stdout.once("drain", resolve));
    }
    break;
  case "half": {
    const whole = await answer();
    process.stdout.write(whole.slice(0, whole.length / 2), () => {
      process.stderr.write("quota used up until Monday\n", () => process.exit(1));
    });
    break;
  }
  case "question":
    process.stdout.write("You are not logged in.\nLog in now? [y/N] ");
    break;
  default:
    process.exit(2);
}
