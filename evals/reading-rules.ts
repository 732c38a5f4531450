/**
 * What each rule of the reply reader is worth: every pattern of `src/judge/replies` and of `src/models/written-score.ts` is taken out by itself, and the hand-written
 * replies are read without it. Prints the verdicts that are then unread or read wrongly, beyond those of the whole reader.
 *
 *   npx tsx evals/reading-rules.ts
 */
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { loadRubric } from "../src/criteria/load-rubric.ts";
import { topLevel } from "../src/criteria/rubric.ts";
import { readVerdicts } from "../src/judge/replies/read-verdicts.ts";
import { writtenReplies } from "../test/fixtures/written-replies.ts";

const SOURCE = join(import.meta.dirname, "..", "src");
const READER = join(SOURCE, "judge", "replies");
/** Lines that begin a pattern: `const RANGE = /…` or `export const SCORE = new RegExp(…`. */
const PATTERN = /^(?:export )?const ([A-Z_]+) =(?=\s*(?:\/|new RegExp\())/gm;

interface Rule {
  readonly file: string;
  readonly name: string;
}

const files = [...readdirSync(READER).map((file) => join(READER, file)), join(SOURCE, "models", "written-score.ts")];
const rules: Rule[] = files
  .filter((path) => !path.endsWith(".test.ts"))
  .flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(PATTERN)].map(([, name]) => ({ file: basename(path), name: name! })),
  );

/** The reader with one pattern that never matches. */
async function readerWithout({ file, name }: Rule, folder: string): Promise<typeof readVerdicts> {
  const never = `const ${name} = new RegExp("(?!)", WITH_${name}.flags);`;
  const plugin = {
    name: "without-a-rule",
    transform: (code: string, id: string) => {
      if (basename(id) !== file) return null;
      const renamed = code.replace(new RegExp(`\\b(?:export )?const ${name} =`), `const WITH_${name} =`);
      const exported = code.includes(`export const ${name} =`) ? `export ${never}` : never;
      return `${renamed}\n${exported}\n`;
    },
  };
  const built = await build({
    configFile: false,
    logLevel: "error",
    plugins: [plugin],
    build: { ssr: join(READER, "read-verdicts.ts"), write: false, minify: false },
  });
  const [{ output }] = [built].flat() as { output: { code: string }[] }[] as [{ output: [{ code: string }] }];
  const path = join(folder, `without-${file}-${name}.mjs`);
  await writeFile(path, output[0].code);
  return (await import(pathToFileURL(path).href)).readVerdicts;
}

const rubric = await loadRubric("long-story");
const replies = writtenReplies();

/** Verdicts that are there and unread, or read as another number, and the replies with an unread one. */
function faults(read: typeof readVerdicts) {
  const found = { replies: 0, unread: 0, wrong: 0 };
  for (const { text, asked, scores } of replies) {
    const { aspects, overall } = read(text, rubric, asked);
    const verdicts = [...topLevel(rubric).map(({ id }) => aspects[id]!), overall];
    const unread = verdicts.filter(({ kind }, at) => kind === "unscored" && scores[at] !== null).length;
    found.unread += unread;
    found.replies += unread > 0 ? 1 : 0;
    found.wrong += verdicts.filter(
      (verdict, at) => verdict.kind === "scored" && (verdict.written?.value ?? verdict.score) !== scores[at],
    ).length;
  }
  return found;
}

const whole = faults(readVerdicts);
console.log(
  `${replies.length} replies; with every rule ${whole.unread} verdicts of ${whole.replies} replies are unread, ${whole.wrong} wrong`,
);
// Inside the repository, so that the libraries are found.
const folder = await mkdtemp(join(import.meta.dirname, "..", "node_modules", ".reading-rules-"));
try {
  for (const rule of rules) {
    const without = faults(await readerWithout(rule, folder));
    const more = (key: keyof typeof whole) => String(without[key] - whole[key]).padStart(4);
    console.log(
      `${rule.file.padEnd(22)} ${rule.name.padEnd(18)} ${more("replies")} replies ${more("unread")} unread ${more("wrong")} wrong`,
    );
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
