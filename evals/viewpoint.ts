/**
 * Point of view and tense per chapter against a table made by hand (evals/data/viewpoint.json).
 *
 *   npx tsx evals/viewpoint.ts FOLDER_OF_EPUBS
 *
 * The table gives person and tense of each novel, and the chapters that differ, by title, part or number. Chapters with
 * too little narration to tell are counted as wrong.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readManuscript } from "../src/prose/map/book-prose.ts";
import { viewpointOf } from "../src/prose/viewpoint/viewpoint.ts";
import type { Chapter } from "../src/text/book.ts";
import { readBook } from "../src/text/read-book.ts";

const personSchema = z.enum(["first", "second", "third"]);
const tenseSchema = z.enum(["past", "present"]);
const tableSchema = z.array(
  z.object({
    file: z.string(),
    person: personSchema,
    tense: tenseSchema,
    except: z
      .array(
        z.object({
          title: z.string().optional(),
          part: z.string().optional(),
          chapters: z.tuple([z.number(), z.number()]).optional(),
          person: personSchema.optional(),
          tense: tenseSchema.optional(),
        }),
      )
      .default([]),
  }),
);
type Row = z.infer<typeof tableSchema>[number];

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("Usage: npx tsx evals/viewpoint.ts FOLDER_OF_EPUBS");

function expected(row: Row, { index, title, part }: Chapter): Pick<Row, "person" | "tense"> {
  const { person, tense } = row;
  const applies = (each: Row["except"][number]) =>
    (each.title !== undefined && title?.includes(each.title)) ||
    (each.part !== undefined && part?.includes(each.part)) ||
    (each.chapters !== undefined && index >= each.chapters[0] && index <= each.chapters[1]);
  const found = { person, tense };
  for (const each of row.except.filter(applies)) {
    found.person = each.person ?? found.person;
    found.tense = each.tense ?? found.tense;
  }
  return found;
}

const table = tableSchema.parse(JSON.parse(readFileSync(new URL("data/viewpoint.json", import.meta.url), "utf8")));
const count = { chapters: 0, person: 0, tense: 0, both: 0 };
for (const row of table) {
  const { chapters, title } = await readBook(join(folder, row.file));
  const found = viewpointOf(readManuscript(chapters)).chapters;
  const wrong: string[] = [];
  for (const [index, chapter] of chapters.entries()) {
    const { person, tense } = expected(row, chapter);
    const own = found[index]!;
    count.chapters++;
    if (own.person === person) count.person++;
    if (own.tense === tense) count.tense++;
    if (own.person === person && own.tense === tense) count.both++;
    else wrong.push(`${chapter.index} ${chapter.title ?? ""}: ${own.person}, ${own.tense}`);
  }
  console.log(
    `${title}: ${chapters.length - wrong.length} of ${chapters.length}${wrong.length > 0 ? ` (${wrong.slice(0, 8).join("; ")})` : ""}`,
  );
}
const share = (right: number) => `${((100 * right) / count.chapters).toFixed(1)} %`;
console.log(
  `${count.chapters} chapters: person ${share(count.person)}, tense ${share(count.tense)}, both ${share(count.both)}`,
);
