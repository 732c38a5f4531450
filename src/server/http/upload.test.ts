import { Hono } from "hono";
import { expect, it } from "vitest";
import { withUpload } from "./upload.ts";

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
