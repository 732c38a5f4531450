import { describe, expect, it } from "vitest";
import { parseRoute, to } from "./routing.ts";

describe("an address within the page", () => {
  it("comes back as it was made, whatever stands in it", () => {
    const path = ["books", "../../etc/passwd", "<script>alert(1)</script>", "红楼梦"];
    const route = parseRoute(to(path, { start: 12, quote: "a&b=c?#/d", nothing: null }));
    expect(route.path).toEqual(path);
    expect(route.query.get("start")).toBe("12");
    expect(route.query.get("quote")).toBe("a&b=c?#/d");
    expect(route.query.has("nothing")).toBe(false);
  });

  it.each(["", "#", "#/", "#/%E0%A4%A", "#///"])("is read without a fall from %j", (hash) => {
    expect(() => parseRoute(hash)).not.toThrow();
  });
});
