import { z } from "zod";
import { defined } from "../define/shared-fields.ts";
import { defineTask, field, profilesIn } from "../define/task.ts";
import { knownBooks, profiles, ratingsScale } from "./reader.ts";

/** Tasks that manage readers' profiles: earlier reviews, stored on this machine only. */

const name = field(z.string().min(1), "the profile's name", { operand: "NAME" });

export const profileImportTask = defineTask({
  name: "reader profile import",
  summary: "Make a reader's profile from earlier reviews, or add to it: Goodreads or StoryGraph export, CSV, JSONL.",
  input: z.strictObject({
    name,
    in: field(
      z.string(),
      "a library export, or rows with title, genres, premise, plot_summary, characters, rating, review, date",
      { value: "FILE" },
    ),
    ratingsScale,
    comparisons: field(
      z.string().exactOptional(),
      'earlier choices between two stories, one per line: {"left": {…}, "right": {…}, "preferred": {"ending": "left", "overall": "right"}}',
      { value: "FILE" },
    ),
    language: field(
      z
        .string()
        .regex(/^[a-z]{2}$/i, "{this} takes a two-letter code, such as en or zh.")
        .exactOptional(),
      "the language reviews for this reader are written in [en]",
      { value: "CODE" },
    ),
    knownBooks,
    profiles,
  }),
  async run(
    { name: reader, in: input, profiles: kept, ratingsScale: scale, comparisons, language, knownBooks: known },
    { host },
  ) {
    const { describeProfile, importProfile } = await import("./reader-profiles.ts");
    const folder = profilesIn(kept, host);
    const report = await importProfile({
      ...{ name: reader, input, folder },
      ...defined({ scale, comparisons, language, knownBooks: known }),
    });
    return { report, description: await describeProfile(report.name, folder) };
  },
  output: { kind: "imported-profile", body: ({ report }) => report },
});

export const profileListTask = defineTask({
  name: "reader profile list",
  summary: "List the reader profiles kept on this machine.",
  input: z.strictObject({ profiles }),
  async run({ profiles: kept }, { host }) {
    const { listProfiles } = await import("./reader-profiles.ts");
    const all = await listProfiles(profilesIn(kept, host));
    return all.map(({ name: reader, language, reviews }) => ({
      name: reader,
      language,
      reviews: reviews.length,
      withWords: reviews.filter(({ review }) => review).length,
    }));
  },
  output: { kind: "profiles", body: (rows) => ({ profiles: rows }) },
});

export const profileShowTask = defineTask({
  name: "reader profile show",
  summary: "Show what a reader rewards and punishes compared with others, with the reviews behind it.",
  input: z.strictObject({ name, profiles }),
  async run({ name: reader, profiles: kept }, { host }) {
    const { describeProfile } = await import("./reader-profiles.ts");
    return describeProfile(reader, profilesIn(kept, host));
  },
  output: { kind: "profile", body: (description) => description },
});

export const profileExportTask = defineTask({
  name: "reader profile export",
  summary: "Write a profile's reviews as JSONL.",
  input: z.strictObject({
    name,
    out: field(z.string().default("-"), "the file to write; - is standard output", { value: "FILE" }),
    profiles,
  }),
  async run({ name: reader, out, profiles: kept }, { host }) {
    const { exportProfile } = await import("./reader-profiles.ts");
    return { name: reader, reviews: await exportProfile(reader, profilesIn(kept, host), out), file: out };
  },
  output: { kind: "exported-profile", body: (exported) => exported },
});

export const profileDeleteTask = defineTask({
  name: "reader profile delete",
  summary: "Delete a profile from this machine, for good.",
  input: z.strictObject({ name, profiles }),
  async run({ name: reader, profiles: kept }, { host }) {
    const { deleteProfile } = await import("./reader-profiles.ts");
    await deleteProfile(reader, profilesIn(kept, host));
    return { deleted: reader };
  },
  output: { kind: "deleted-profile", body: (result) => result },
});
