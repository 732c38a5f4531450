import fc from "fast-check";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { attachment, savedName, shownName, withUpload } from "./upload.ts";

const WHOLE = '--b\r\nContent-Disposition: form-data; name="file"; filename="rain.txt"\r\n\r\nIt rained.\r\n--b--\r\n';

/** An error without a listener would end the process, and these tests with it. */
it("an upload that ends anywhere is refused in one sentence", async () => {
  const refused: string[] = [];
  const app = new Hono()
    .post("/", (context) => withUpload(context, {}, async ({ name }) => context.text(name)))
    .onError((error, context) => {
      refused.push(error.message);
      return context.text("refused", 400);
    });
  const send = (body: string) =>
    app.request("/", { method: "POST", headers: { "content-type": "multipart/form-data; boundary=b" }, body });
  expect(await (await send(WHOLE)).text()).toBe("rain.txt");
  // Headers that never end before the next part begins.
  const unended = "--b\r\nContent-Disposition: form-data; na\r\n--b--\r\n";
  expect((await send(unended)).status).toBe(400);
  const ends = Array.from({ length: WHOLE.length - 4 }, (_, at) => at);
  for (const end of ends) expect((await send(WHOLE.slice(0, end))).status).toBe(400);
  expect(refused).toHaveLength(ends.length + 1);
  for (const message of refused) expect(message).toMatch(/^(?:There is no file in|The) upload|^There is no file/);
});

describe("a name to be shown", () => {
  it.each([
    ["C:\\books\\novel.txt", "novel.txt"],
    ["../../etc/passwd", "passwd"],
    ["a\u0000b\u202e.txt", "ab.txt"],
    ["", "untitled"],
    [undefined, "untitled"],
    ["/", "untitled"],
  ])("%j is %j", (name, shown) => {
    expect(shownName(name)).toBe(shown);
  });
});

describe("a name to be saved under", () => {
  it.each([
    ["The Inspector of Weights", "The-Inspector-of-Weights.html"],
    ["../../etc/passwd", "etc-passwd.html"],
    ["红楼梦", "红楼梦.html"],
    ["<script>", "script.html"],
    ["…", "report.html"],
    ["NUL", "NUL-report.html"],
  ])("of %j is %j", (title, name) => {
    expect(savedName(title, "html")).toBe(name);
  });

  it("is a safe header, whatever the title", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 150 }), (title) => {
        const header = attachment(title, "html");
        expect(header).toMatch(/^attachment; filename="[A-Za-z0-9-]+\.html"; filename\*=UTF-8''[A-Za-z0-9%.-]+$/);
        expect(header.length).toBeLessThan(1200);
      }),
    );
  });
});
