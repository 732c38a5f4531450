import { Hono } from "hono";
import { z } from "zod";
import { GRID_SORTS, type GridFilter, pageOfGrid, type SortedGrid, sortGrid } from "../../report/grid/grid-page.ts";
import { queryOf } from "../http/json-body.ts";
import { bookTitle, type Services } from "../services.ts";

const MOST_ROWS = 400;
const name = z
  .string()
  .max(300)
  .transform((value) => value || undefined)
  .optional();
const gridQuery = z.object({
  search: z.string().max(200).default(""),
  judge: name,
  method: name,
  aspect: name,
  sort: z.enum(GRID_SORTS).default("disagreement"),
  from: z.coerce.number().int().nonnegative().default(0),
  find: z
    .string()
    .regex(/^[a-z0-9-]{1,64}:\d{1,3}$/)
    .transform((place) => {
      const [evaluationId = "", seat] = place.split(":");
      return { evaluationId, seat: Number(seat) };
    })
    .nullable()
    .default(null)
    .catch(null),
  limit: z.coerce.number().int().min(1).max(MOST_ROWS).default(100),
});

/** Books × judges × methods, a part at a time: cut from what is held of every evaluation, without opening one. */
export function gridRoutes({ books, evaluations }: Services): Hono {
  // Whoever scrolls asks for one part after the other of the same grid.
  let kept: { readonly key: string; readonly grid: SortedGrid } | null = null;
  const sorted = async (filter: GridFilter): Promise<SortedGrid> => {
    const titles = new Map(books.list().map(({ id }) => [id, bookTitle(books, id)]));
    const key = JSON.stringify([evaluations.version, [...titles], filter]);
    if (kept?.key === key) return kept.grid;
    const shown = (await evaluations.forGrid()).map((one) => ({ ...one, title: titles.get(one.bookId) ?? one.title }));
    kept = { key, grid: sortGrid(shown, filter) };
    return kept.grid;
  };
  return new Hono().get("/", async (context) => {
    const { from, limit, find, search, sort, judge, method, aspect } = queryOf(context, gridQuery);
    const filter = { search, sort, ...(judge && { judge }), ...(method && { method }), ...(aspect && { aspect }) };
    return context.json(pageOfGrid(await sorted(filter), from, limit, find));
  });
}
