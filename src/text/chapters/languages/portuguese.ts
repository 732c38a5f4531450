import { type HeadingLanguage, spelled } from "./heading-language.ts";

export const portuguese: HeadingLanguage = {
  language: "pt",
  chapter: ["capítulo", "capitulo", "carta", "canto", "episódio", "cena"],
  division: ["livro", "parte", "tomo", "volume", "ato", "acto"],
  named: ["prólogo", "epílogo", "prefácio", "posfácio", "introdução", "conclusão", "interlúdio", "apêndice"],
  paratext: ["sumário", "índice", "dedicatória", "agradecimentos"],
  numbers: {
    ...spelled(
      ["primeiro", "primeira"],
      ["segundo", "segunda", "dois", "duas"],
      ["terceiro", "terceira", "três"],
      ["quarto", "quarta", "quatro"],
      ["quinto", "quinta", "cinco"],
      ["sexto", "sexta", "seis"],
      ["sétimo", "sétima", "sete"],
      ["oitavo", "oitava", "oito"],
      ["nono", "nona", "nove"],
      ["décimo", "décima", "dez"],
      ["onze"],
      ["doze"],
      ["treze"],
      ["catorze", "quatorze"],
      ["quinze"],
      ["dezesseis", "dezasseis"],
      ["dezessete", "dezassete"],
      ["dezoito"],
      ["dezenove", "dezanove"],
      ["vigésimo", "vinte"],
    ),
    ...{ trigésimo: 30, trinta: 30, quarenta: 40, cinquenta: 50, cem: 100 },
  },
};
