import { Hono } from "hono";
import { z } from "zod";
import type { ChapterHeat } from "../../api/books.ts";
import { aspectShares, aspectVerdicts, loadAspectMap } from "../../jury/aspects.ts";
import { loadPocketJudge } from "../../jury/pocket-judge.ts";
import { queryOf } from "../http/json-body.ts";
import { notThere } from "../ids.ts";
import type { Services } from "../services.ts";

const heatQuery = z.object({ aspect: z.string().max(60).default("overall") });
const chapterNumber = z.coerce.number().int().positive().catch(0);

/** The pocket judge's score of a chapter is a sum over its sentences: this is each sentence's part. */
export function heatRoutes({ books }: Services): Hono {
  return new Hono().get("/:id/chapters/:index/heat", async (context) => {
    const { aspect } = queryOf(context, heatQuery);
    const { index, text } = await books.chapter(
      context.req.param("id"),
      chapterNumber.parse(context.req.param("index")),
    );
    const [judge, map] = await Promise.all([loadPocketJudge(), loadAspectMap()]);
    const examination = judge.examine(text);
    const isOverall = aspect === "overall";
    const verdict = isOverall ? examination.overall : aspectVerdicts(judge, map, examination)[aspect];
    if (!verdict) throw notThere("aspect");
    const shares = isOverall ? examination.shares.overall : aspectShares(judge, map, examination)[aspect];
    const heat: ChapterHeat = {
      ...{ index, aspect, verdict },
      sentences: examination.sentences.flatMap(({ start, end }, sentence) => {
        const share = shares?.[sentence];
        return share === undefined ? [] : [{ start, end, share }];
      }),
    };
    return context.json(heat);
  });
}
