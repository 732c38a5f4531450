import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { BookMapAnswer } from "../../api/map.ts";
import { loadReferenceNovels } from "../../prose/reference/reference-novels.ts";
import { characterCorrectionsSchema } from "../../text/corrections/character-corrections.ts";
import { clientAddress } from "../http/client-address.ts";
import { jsonBody } from "../http/json-body.ts";
import { correctionsIn } from "../library/stored-readings.ts";
import type { Services } from "../services.ts";
import { runTask } from "../threads/run-task.ts";

/** The manuscript map of a book, with the writer's corrections to its characters. */
export function mapRoutes({ books, readings }: Services): Hono {
  const stored = (id: string) => correctionsIn(books.folderOf(id));
  return new Hono()
    .get("/:id/map", async (context) => {
      const card = books.card(context.req.param("id"));
      const corrections = JSON.stringify(await stored(card.id));
      const language = card.edits.language ?? card.found.language;
      const key = `map ${card.id} ${language} ${corrections}`;
      const map = await readings.get(key, () =>
        runTask("map-book", { folder: books.folderOf(card.id) }, { client: clientAddress(context) }),
      );
      const novels = loadReferenceNovels().novels.map(({ title, figures }) => ({ title, figures }));
      return context.json({ ...map, novels } satisfies BookMapAnswer);
    })
    .get("/:id/characters", async (context) => context.json(await stored(context.req.param("id"))))
    .patch("/:id/characters", bodyLimit({ maxSize: 100_000 }), async (context) => {
      const corrections = await jsonBody(context, characterCorrectionsSchema);
      await books.correctCharacters(context.req.param("id"), corrections);
      return context.body(null, 204);
    });
}
