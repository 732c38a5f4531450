import type { SynopsisRow } from "../../../bench/bench-folder.ts";
import type { Synopsis } from "../../../bench/synopsis/make-synopsis.ts";
import { makeNameMap } from "../../../judge/anonymise/anonymise.ts";
import type { Replacement } from "../../../judge/anonymise/name-map.ts";
import { replaceNames } from "../../../judge/anonymise/replace-names.ts";
import { promptLanguage } from "../../../prompts/load-prompt.ts";
import { mapBounded } from "../../../runner/map-bounded.ts";
import type { Run } from "../../../runner/open-run.ts";

/**
 * The same synopses with other names for people and places: a writer that remembers a novel loses its thread to it. One map for
 * a novel, made by a model; a novel whose names it would not map is left out.
 */
export async function renamedSynopses(
  run: Run,
  synopses: readonly SynopsisRow[],
  { synopsisModel, signal }: { readonly synopsisModel: string; readonly signal: AbortSignal },
): Promise<SynopsisRow[]> {
  const model = await run.model(synopsisModel);
  const novels = [...new Set(synopses.map(({ novel }) => novel))].map((name) =>
    synopses.filter(({ novel }) => novel === name),
  );
  const renamed = await mapBounded(novels, run.concurrency, async (rows): Promise<SynopsisRow[]> => {
    const chapters = rows.flatMap(({ synopsis }, index) =>
      synopsis ? [{ index: index + 1, title: null, text: textOf(synopsis), words: 0 }] : [],
    );
    const map = await makeNameMap(model, { chapters }, promptLanguage(rows[0]!.language), signal);
    if (map.kind !== "read" || (map.value.length === 0 && !run.dryRun)) return [];
    return rows.map((row) => ({ ...row, synopsis: row.synopsis && renamedSynopsis(row.synopsis, map.value) }));
  });
  return renamed.flat();
}

function textOf({ characters, plot, scenes }: Synopsis): string {
  return [...characters.map(({ name, about }) => `${name}: ${about}`), ...plot, ...scenes].join("\n");
}

function renamedSynopsis({ characters, plot, scenes }: Synopsis, names: readonly Replacement[]): Synopsis {
  const renamed = (text: string) => replaceNames(text, names);
  return {
    characters: characters.map(({ name, about }) => ({ name: renamed(name), about: renamed(about) })),
    plot: plot.map(renamed),
    scenes: scenes.map(renamed),
  };
}
