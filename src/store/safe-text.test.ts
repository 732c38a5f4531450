import fc from "fast-check";
import { expect, it } from "vitest";
import { inputs } from "../../test/support/inputs.ts";
import { fromSafeText, toSafeText } from "./safe-text.ts";

const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(0, 0xd800, 0xdbff, 0xdfff, 0xdc00, 0x66)))
  .map((units) => String.fromCharCode(...units));

it("keeps any text in a form that databases can hold, and gives it back", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const safe = toSafeText(text);
      expect(Buffer.from(safe, "utf8").toString("utf8")).toBe(safe);
      expect(safe).not.toContain("\0");
      expect(fromSafeText(safe)).toBe(text);
      expect(fromSafeText(toSafeText(safe))).toBe(safe);
    }),
    { numRuns: inputs(2000) },
  );
});

it("leaves ordinary text alone", () => {
  for (const text of ["", "Der Tod in Venedig", "红楼梦", "👩🏽‍🚀"]) expect(toSafeText(text)).toBe(text);
});
