import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Problem } from "../../../src/api/answers.ts";
import { documentProblem } from "../../support/document-validator.ts";
import { addStory } from "../../support/library-requests.ts";
import { draftOf, STORY } from "../../support/stories.ts";
import { servedLibrary } from "./served-library.ts";

const library = servedLibrary();
const post = (name: string, body: unknown) => library.server.send("POST", `/api/v1/tasks/${name}`, body);

describe("the tasks over HTTP", () => {
  it("are described by a document that lists them", async () => {
    const api = await library.server.json<{ paths: Record<string, unknown> }>("/api/v1/openapi.json");
    expect(Object.keys(api.paths)).toEqual(expect.arrayContaining(["/api/v1/tasks/map", "/api/v1/tasks/notes"]));
    expect(Object.keys(api.paths)).not.toContain("/api/v1/tasks/map-texts");
  });

  it("give the document that --json prints, for a text, a file and a book of the library", async () => {
    const text = draftOf("A Draft", 2);
    const { id } = await addStory(library.server);
    const base64 = readFileSync(STORY).toString("base64");
    const answers = [
      await post("map", { book: { text, name: "draft.md" }, metadata: { author: "A. N." } }),
      await post("map", { book: { base64, name: "story.md" } }),
      await post("map", { book: { id } }),
      await post("forecast", {
        books: [
          { title: "The Salt Road", genres: ["Fantasy"] },
          { text, name: "draft.md" },
        ],
      }),
      await post("evaluate", { books: [{ text, name: "draft.md" }], judge: "crowd", maskInjection: true }),
      await post("rubric-check", { file: { text: "id: own" } }),
    ];
    const documents = await Promise.all(answers.map((answer) => answer.text()));
    for (const document of documents) expect(documentProblem(document)).toBeNull();
    const [draft, file, kept, forecasts, evaluated] = documents.map((document) => JSON.parse(document));
    expect(draft.book).toMatchObject({ title: "A Draft", author: "A. N.", chapters: 2 });
    expect(kept.figures).toEqual(file.figures);
    expect(evaluated).toMatchObject({ judge: "crowd", overall: { kind: "scored" }, evaluations: [{ judge: "crowd" }] });
    expect(forecasts.forecasts).toMatchObject([{ rating: expect.any(Number) }, { id: "draft.md" }]);
  });

  it.each([
    ["map", { book: STORY }, /^`book` .*: send \{ text \}, \{ base64, name \} or \{ id \} for a book\.$/],
    ["map", { book: { text: "It rained." }, reference: "/etc/passwd" }, /has no option "reference"/],
    ["map", { book: { id: "../../etc" } }, /There is no such book/],
    ["map", {}, /needs `book`/],
    ["map", { book: { text: "x" }, metadata: { language: "english" } }, /`metadata\.language` takes a two-letter code/],
    ["evaluate", { books: [{ text: "x" }], judge: "a@http://elsewhere/v1" }, /`judge` must be/],
    ["evaluate", { books: [{ text: "x" }], prompts: "/etc" }, /has no option "prompts"/],
    ["evaluate", { books: [{ text: "x" }], segmentWords: 900 }, /`segmentWords` is for language models/],
    ["map-texts", { in: "/etc/passwd" }, /There is no task "map-texts" here/],
    ["constructor", {}, /There is no task "constructor" here/],
  ])("refuse what may not come from far: %s %j", async (name, body, sentence) => {
    const answer = await post(name, body);
    expect([400, 404]).toContain(answer.status);
    expect(((await answer.json()) as Problem).message).toMatch(sentence);
  });

  it("tell a client that listens how far they have got", async () => {
    const events = async (body: unknown) => {
      const headers = { ...library.server.headers, accept: "text/event-stream", "content-type": "application/json" };
      const url = `${library.server.url}/api/v1/tasks/notes`;
      const text = await (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).text();
      return [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, event, data]) => [event, JSON.parse(data!)]);
    };
    const told = await events({ book: { text: draftOf("A Draft", 2) } });
    expect(told[0]).toMatchObject(["progress", { stage: "Reading" }]);
    expect(told.at(-1)).toMatchObject(["result", { schema: "fabula.notes.v1", title: "A Draft" }]);
    expect(await events({ book: { text: "" } })).toMatchObject([
      ["progress", {}],
      ["problem", { code: "E_EMPTY" }],
    ]);
  });

  it("take a program's token in place of the web app's header", async () => {
    const send = (headers: Record<string, string>) =>
      fetch(`${library.server.url}/api/v1/tasks/rubric-check`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ file: { text: "id: own" } }),
      });
    const authorization = library.server.headers.authorization!;
    expect([401, 403]).toContain((await send({})).status);
    expect((await send({ authorization })).status).toBe(200);
    expect((await send({ authorization: "Bearer any" })).status).toBe(401);
    expect((await send({ authorization, "sec-fetch-site": "cross-site" })).status).toBe(403);
  });
});
