import { Hono } from "hono";
import { afterEach, describe, expect, it, vi } from "vitest";
import { api, ask, pathOf, RequestProblem } from "./client.ts";

/** A server in place of the network. */
function served(server: Hono): Request[] {
  const requests: Request[] = [];
  vi.stubGlobal("fetch", async (address: string, options: RequestInit) => {
    const request = new Request(new URL(address, "http://127.0.0.1"), options);
    requests.push(request.clone());
    return server.request(request);
  });
  return requests;
}

afterEach(() => void vi.unstubAllGlobals());

describe("the client of the web app", () => {
  it("writes names into an address as names, and leaves out what is empty", () => {
    expect(pathOf(api.readers[":name"].shelf, { param: { name: "a/b ?" } })).toBe("/api/readers/a%2Fb%20%3F/shelf");
    expect(pathOf(api.books, { query: { search: "", limit: 60, after: null } })).toBe("/api/books?limit=60");
  });

  it("says that a request comes from the web app, and sends an upload's fields before its file", async () => {
    const requests = served(new Hono().post("/api/readers", (context) => context.json({ imported: 3 }, 201)));
    const form = { name: "ada", file: new File(["rating"], "shelf.csv") };
    expect(await ask(api.readers.$post, { form })).toEqual({ imported: 3 });
    expect(requests[0]!.headers.get("x-fabula")).toBe("1");
    const sent = await requests[0]!.formData();
    expect([...sent.keys()]).toEqual(["name", "file"]);
    expect(sent.get("file")).toMatchObject({ name: "shelf.csv" });
  });

  it("takes a change that is answered with nothing, and turns a refusal into its sentence", async () => {
    served(
      new Hono()
        .delete("/api/books/:id", (context) => context.body(null, 204))
        .post("/api/question-sets/:id/steps", (context) => context.body(null, 202))
        .get("/api/books/:id", (context) =>
          context.json({ code: "E_NOT_FOUND", message: "There is no such book." }, 404),
        ),
    );
    expect(await ask(api.books[":id"].$delete, { param: { id: "x" } })).toBeNull();
    const json = { step: "filter", judge: null, maximumCost: null } as const;
    expect(await ask(api["question-sets"][":id"].steps.$post, { param: { id: "x" }, json })).toBeNull();
    await expect(ask(api.books[":id"].$get, { param: { id: "x" } })).rejects.toThrow(
      new RequestProblem({ code: "E_NOT_FOUND", message: "There is no such book." }),
    );
  });

  it("says that the server cannot be reached when it goes away in the middle of its answer", async () => {
    const cut = new ReadableStream({ start: (controller) => controller.error(new TypeError("Failed to fetch")) });
    vi.stubGlobal("fetch", async () => new Response(cut));
    await expect(ask(api.books[":id"].$get, { param: { id: "x" } })).rejects.toMatchObject({ code: "unreachable" });
  });
});
