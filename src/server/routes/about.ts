import { Hono } from "hono";
import type { About } from "../../api/about.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { topLevel } from "../../criteria/rubric.ts";
import { METHODS } from "../../judge/methods/registry.ts";
import { judgeChoices } from "../judges.ts";
import { readerSummaries } from "../readers/reader-summaries.ts";
import type { Services } from "../services.ts";

export function aboutRoutes({ settings }: Services): Hono {
  return new Hono().get("/", async (context) => {
    const rubric = await loadRubric("long-story");
    const about: About = {
      version: settings.version,
      judges: await judgeChoices(settings),
      methods: Object.values(METHODS).map(({ name, about }) => ({ id: name, name: inTitle(name), explanation: about })),
      aspects: topLevel(rubric).map(({ id, name, abbreviation, definition }) => ({
        id,
        name,
        definition,
        abbreviation: abbreviation ?? name.slice(0, 3).toUpperCase(),
      })),
      readers: await readerSummaries(settings.profiles),
    };
    return context.json(about);
  });
}

function inTitle(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");
}
