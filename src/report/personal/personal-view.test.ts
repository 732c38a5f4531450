import { describe, expect, it } from "vitest";
import { loadPersonalModel } from "../../reader/predictor/personal-weights.ts";
import { personalPredictor } from "../../reader/predictor/predict-rating.ts";
import { pairSchema } from "../../reader/predictor/story.ts";
import { reportHtml, reportMarkdown, reportText } from "../report-forms.ts";
import { personalView, sectionedPersonal } from "./personal-view.ts";

const predict = personalPredictor(loadPersonalModel());

function view(rating: number) {
  const { history, query } = pairSchema.parse({
    id: 1,
    history: ["One", "Two <b>bold</b>"].map((title) => ({
      title,
      genres: ["Fantasy"],
      rating,
      review: rating > 3 ? "I adored every page of it." : "Dull and predictable; I gave up.",
    })),
    query: { title: "Salt & <script>", genres: ["Fantasy"], plot_summary: "Ines burns the harbour and is forgiven." },
  });
  const personal = predict({ history, query });
  const general = predict({ history: [], query });
  if (personal.kind !== "predicted" || general.kind !== "predicted") throw new Error("both can be predicted");
  return personalView("ada", query.title, personal, { rating: general.rating, from: "forecast" });
}

describe("the personal verdict beside the general one", () => {
  it("says which way they differ and lists the earlier reviews that pull that way first", () => {
    expect(view(5).headline).toContain("ada is likely to like it more than others do");
    expect(view(5).because.every(({ effect }) => effect > 0)).toBe(true);
    expect(view(1).headline).toContain("less than others do");
    expect(view(1).because.every(({ effect }) => effect < 0)).toBe(true);
    expect(reportText(sectionedPersonal(view(1)))).toContain("Reasons for a lower rating");
  });

  it("keeps titles as text in every form", async () => {
    const report = sectionedPersonal(view(5));
    const html = await reportHtml(report);
    expect(html).not.toContain("<script");
    expect(html).toContain("Salt &amp; &lt;script&gt;");
    expect(html).not.toMatch(/(src|href)=|url\(|@import|https?:/);
    expect(reportMarkdown(report)).toContain("\\<b\\>");
  });
});
