import { type Context, Hono } from "hono";
import { z } from "zod";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { type CellPlace, cellDetails } from "../../report/grid.ts";
import { cellCall, cellCalls } from "../../workflows/evidence.ts";
import { clientAddress } from "../http/client-address.ts";
import { respond } from "../http/typed-route.ts";
import { notFound } from "../ids.ts";
import type { StoredSummary } from "../library/evaluation-files.ts";
import { bookTitle, type Services } from "../services.ts";
import { runTask } from "../threads/run-task.ts";

const seatNumber = z.coerce.number().int().nonnegative().catch(-1);
const callNumber = z.coerce.number().int().positive().catch(0);

interface AskedCell {
  readonly summary: StoredSummary;
  readonly evaluation: BookEvaluation;
  readonly place: CellPlace;
}

/** What is behind one score of the grid. Everything comes from the library and the store: no model is asked. */
export function cellRoutes({ books, evaluations, store, readings }: Services) {
  const asked = async (context: Context): Promise<AskedCell> => {
    const summary = evaluations.summary(context.req.param("evaluation") ?? "");
    const place = {
      seat: seatNumber.parse(context.req.param("seat")),
      aspect: context.req.param("aspect") ?? "",
    };
    return { summary, evaluation: await evaluations.evaluation(summary.id), place };
  };
  return new Hono()
    .get("/:evaluation/:seat/:aspect", async (context) => {
      const { summary, evaluation, place } = await asked(context);
      const details = cellDetails({ ...summary, title: bookTitle(books, summary.bookId) }, evaluation, place);
      if (!details) throw notFound("score");
      return respond(context, details);
    })
    .get("/:evaluation/:seat/:aspect/calls", async (context) => {
      const { evaluation, place } = await asked(context);
      return respond(context, await cellCalls(await store(), evaluation, place));
    })
    .get("/:evaluation/:seat/:aspect/calls/:position", async (context) => {
      const { summary, evaluation, place } = await asked(context);
      const folder = books.folderOf(summary.bookId);
      const position = callNumber.parse(context.req.param("position"));
      const call = await cellCall(await store(), evaluation, place, position, (quotes) => {
        if (quotes.length === 0) return Promise.resolve([]);
        const key = `quotations ${summary.id} ${place.aspect} ${position}`;
        return readings.get(key, () =>
          runTask("check-quotations", { folder, quotes }, { client: clientAddress(context) }),
        );
      });
      if (!call) throw notFound("call");
      return respond(context, call);
    });
}
