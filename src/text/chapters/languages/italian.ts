import { type HeadingLanguage, spelled } from "./heading-language.ts";

export const italian: HeadingLanguage = {
  language: "it",
  chapter: ["capitolo", "capo", "lettera", "canto", "episodio", "scena"],
  division: ["libro", "parte", "tomo", "volume", "atto"],
  named: ["prologo", "epilogo", "prefazione", "introduzione", "conclusione", "postfazione", "premessa"],
  paratext: ["indice", "sommario", "dedica", "ringraziamenti"],
  numbers: {
    ...spelled(
      ["primo", "prima", "uno"],
      ["secondo", "seconda", "due"],
      ["terzo", "terza", "tre"],
      ["quarto", "quarta", "quattro"],
      ["quinto", "quinta", "cinque"],
      ["sesto", "sesta", "sei"],
      ["settimo", "settima", "sette"],
      ["ottavo", "ottava", "otto"],
      ["nono", "nona", "nove"],
      ["decimo", "decima", "dieci"],
      ["undicesimo", "undecimo", "undici"],
      ["dodicesimo", "duodecimo", "dodici"],
      ["tredicesimo", "decimoterzo", "tredici"],
      ["quattordicesimo", "decimoquarto", "quattordici"],
      ["quindicesimo", "decimoquinto", "quindici"],
      ["sedicesimo", "decimosesto", "sedici"],
      ["diciassettesimo", "decimosettimo", "diciassette"],
      ["diciottesimo", "decimottavo", "diciotto"],
      ["diciannovesimo", "decimonono", "diciannove"],
      ["ventesimo", "vigesimo", "venti"],
    ),
    ...{ trentesimo: 30, trenta: 30, quarantesimo: 40, quaranta: 40, cinquanta: 50, sessanta: 60, cento: 100 },
  },
};
