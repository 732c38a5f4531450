import { type BookRanking, rankBooks } from "../../../workflows/readers/rank.ts";
import { openProfile } from "../../../workflows/readers/reader-profiles.ts";
import { defineCommand } from "../../command.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { textTable } from "../../output/table.ts";
import { PROFILES_FLAG, profileFolder } from "../../profile-folder.ts";

export default defineCommand({
  summary: "Rank the books of a folder by how much one reader would like them; needs no model and no network.",
  operands: "",
  flags: {
    books: {
      type: "string",
      value: "FOLDER",
      help: "books (EPUB, text, Word, PDF); NAME.json beside NAME.epub adds plot_summary, characters, genres",
    },
    profile: { type: "string", value: "PROFILE", help: "the reader: a profile's name, or a profile in a .json file" },
    profiles: PROFILES_FLAG,
  },
  examples: ["fabula reader rank --books to-read/ --profile ada"],
  async run({ flags, terminal }) {
    const folder = requireFlag("reader rank", "books", flags.books);
    const name = requireFlag("reader rank", "profile", flags.profile);
    const ranking = await rankBooks(folder, await openProfile(name, profileFolder(flags.profiles)));
    terminal.print(flags.json ? jsonDocument("reader-ranking", documentOf(ranking)) : inWords(ranking));
    return ranking.unranked.length > 0 ? 3 : 0;
  },
});

function documentOf({ reader, ranked, unranked }: BookRanking) {
  const books = ranked.map(({ item, prediction, rank }) => {
    const { rating, interval, because, descriptionTrust, notes } = prediction;
    return {
      rank,
      file: item.file,
      title: item.title,
      rating,
      interval,
      because,
      descriptionTrust,
      missing: item.missing,
      notes,
    };
  });
  return { reader, books, unranked };
}

function inWords({ reader, ranked, unranked }: BookRanking): string {
  const shared = (rank: number) => ranked.filter((book) => book.rank === rank).length > 1;
  const rows = ranked.map(({ item, prediction, rank }) => [
    `${rank}${shared(rank) ? "=" : ""}`,
    item.title,
    prediction.rating.toFixed(2),
    prediction.interval.map((bound) => bound.toFixed(1)).join("–"),
    item.missing.join(", "),
  ]);
  return [
    `For ${reader}. Books marked = on the same rank cannot be told apart: their order is right less than three times in five.`,
    textTable(["rank", "book", "stars", "four times in five", "not known of it"], rows),
    ...unranked.map(({ file, reason }) => `Not ranked: ${file}: ${reason}`),
  ].join("\n");
}
