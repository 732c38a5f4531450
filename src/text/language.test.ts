import { describe, expect, it } from "vitest";
import { detectLanguage } from "./language.ts";

describe("the language of a text", () => {
  it.each([
    ["en", "The rain had stopped before anyone thought to close the windows, and the house smelled of wet stone."],
    ["fr", "La pluie avait cessé avant que personne ne pensât à fermer les fenêtres, et la maison sentait la pierre."],
    [
      "de",
      "Der Regen hatte aufgehört, bevor jemand daran dachte, die Fenster zu schließen, und das Haus roch nach Stein.",
    ],
    ["es", "La lluvia había cesado antes de que nadie pensara en cerrar las ventanas, y la casa olía a piedra mojada."],
    ["ru", "Дождь прекратился прежде, чем кто-нибудь подумал закрыть окна, и в доме пахло мокрым камнем."],
    [
      "ru",
      "Лампа горела тускло, и в гавани никто не говорил о буре. Утром море было плоским, и чайки стояли на стене.",
    ],
    ["zh", "雨停了，还没有人想到去关窗户，屋子里满是潮湿的石头气味，谁也没有说话，只听见远处的钟声。"],
    ["ja", "誰も窓を閉めようと思わないうちに雨は止んで、家の中には濡れた石の匂いが漂っていた。"],
  ])("%s", (code, text) => expect(detectLanguage(text)).toBe(code));

  it("is Chinese although an encoding error left one kana", () =>
    expect(detectLanguage(`${"他没有什么模样，使他可爱的是脸上的精神。".repeat(12)}ひ`)).toBe("zh"));

  it("is not guessed from a few letters", () => expect(detectLanguage("Hm. No.")).toBeNull());

  it("is that of the whole book, not of its motto", () => {
    const motto =
      "Arma virumque cano, Troiae qui primus ab oris Italiam fato profugus Laviniaque venit litora. ".repeat(6);
    const story = "She went down to the river every evening and counted the boats until the light was gone. ".repeat(
      400,
    );
    expect(detectLanguage(motto + story)).toBe("en");
  });
});
