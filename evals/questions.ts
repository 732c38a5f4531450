import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { measureQuestions, QUESTIONED } from "./parts/questions.ts";

/**
 * Questions that a model wrote about a book, from recorded replies, answered once more by a second reader:
 * `npx tsx evals/questions.ts NAME=FILE…`, each NAME one of test/recorded/questions.
 */
const { positionals } = parseArgs({ allowPositionals: true });
const given = positionals.map((one) => one.split(/=(.*)/s) as [string, string]);
if (given.length === 0 || given.some(([name, file]) => !QUESTIONED.includes(name) || !existsSync(file ?? "")))
  throw new Error(`Give books as NAME=FILE; the names are ${QUESTIONED.join(", ")}.`);
for (const [name, file] of given) {
  const { asked, kept, known, dropped, fromEvidence, fromQuestion, unanswered } = await measureQuestions(file, name);
  console.log(
    `${name}: ${kept.length} of ${asked} questions kept, ${known} of them marked as known from the title. A second reader answers ${fromEvidence} of ${kept.length} from the evidence alone and ${fromQuestion} of the other ${kept.length - known} from the question alone.`,
  );
  for (const { reason, question } of dropped) console.log(`  left out, ${reason}: ${question}`);
  for (const { question, answers, scope, second } of kept)
    console.log(
      `  ${scope}: ${question} ${answers.join(" | ")}\n    from the evidence (${second.evidence.grade}): ${second.evidence.answer}\n    from the question (${second.alone?.grade ?? "known"}): ${second.alone?.answer ?? ""}`,
    );
  if (unanswered > 0) console.log(`  ${unanswered} requests have no recorded reply.`);
}
