import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { servedLibrary } from "./served-library.ts";

const library = servedLibrary();

/** The processes that the server has started and that have not ended. */
function children(): string[] {
  const { pid } = library.server;
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1").split(" ").filter(Boolean),
  );
}

// Elsewhere a system does not say which processes a process has started.
describe.runIf(process.platform === "linux")("a book that may come", () => {
  it("starts one process that parses and one that judges, however often a client says so", async () => {
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(Array.from({ length: 40 }, () => library.server.get("/api/books/coming")));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 204));
      expect(children()).toHaveLength(2);
    }
  });

  it("does not start them for another site", async () => {
    const { url, headers } = library.server;
    const before = children();
    const answer = await fetch(`${url}/api/books/coming`, { headers: { ...headers, "sec-fetch-site": "cross-site" } });
    expect(answer.status).toBe(403);
    expect(children()).toEqual(before);
  });

  it("is read by the processes that were started for it", async () => {
    await library.server.get("/api/books/coming");
    const before = children();
    const story = "# A Story\n\n## One\n\nShe lit the lamp. The sea was calm.\n\n## Two\n\nNobody came.\n";
    const added = await library.server.upload("/api/books", { name: "story.md", content: story });
    const { id } = (await added.json()) as { id: string };
    const begun = await library.server.send("POST", `/api/books/${id}/readings`);
    const job = await library.server.watch(((await begun.json()) as { id: string }).id, ["done", "failed"]);
    expect(job.state).toBe("done");
    // One of them may have ended since, having had nothing to do.
    expect(before).toEqual(expect.arrayContaining(children()));
  });
});
