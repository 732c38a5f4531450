import { z } from "zod";
import type { Paged } from "../../api/answers.ts";

const MOST = 200;
const USUAL = 50;

export const pageQuery = z.object({
  after: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(MOST).default(USUAL),
});

/** One page of a list in memory; the id of its last item is the cursor of the next. */
export function pageOf<Item extends { readonly id: string }>(
  items: readonly Item[],
  { after, limit }: z.infer<typeof pageQuery>,
): Paged<Item> {
  const start = after === undefined ? 0 : items.findIndex(({ id }) => id === after) + 1;
  const page = items.slice(start, start + limit);
  const isLast = start + limit >= items.length;
  return { items: page, total: items.length, next: isLast ? null : (page.at(-1)?.id ?? null) };
}
