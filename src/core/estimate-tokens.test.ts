import { expect, it } from "vitest";
import { estimateTokens } from "./estimate-tokens.ts";

/** Prose with the tokens that o200k_base (GPT-4o and later) makes of it. */
const PROSE = {
  English: [
    43,
    "The old ferryman counted his coins twice before the fog took the far bank away. Nobody in the village had crossed since the autumn, and he had begun to wonder whether the other side was still there at all.",
  ],
  Czech: [
    65,
    "Starý převozník přepočítal své mince dvakrát, než mlha pohltila protější břeh. Nikdo z vesnice se od podzimu nepřeplavil a on už začínal přemýšlet, jestli druhá strana ještě vůbec existuje.",
  ],
  Polish: [
    65,
    "Stary przewoźnik przeliczył swoje monety dwa razy, zanim mgła zabrała przeciwległy brzeg. Nikt z wioski nie przeprawiał się od jesieni, a on zaczął się zastanawiać, czy druga strona w ogóle jeszcze istnieje.",
  ],
  Hungarian: [
    76,
    "Az öreg révész kétszer is megszámolta az érméit, mielőtt a köd elnyelte a túlsó partot. A faluból ősz óta senki sem kelt át, és már kezdett azon tűnődni, hogy a másik oldal egyáltalán létezik-e még.",
  ],
  Romanian: [
    69,
    "Bătrânul luntraș și-a numărat monedele de două ori înainte ca ceața să înghită malul celălalt. Nimeni din sat nu mai trecuse râul din toamnă, iar el începuse să se întrebe dacă partea cealaltă mai există.",
  ],
  Lithuanian: [
    69,
    "Senasis keltininkas du kartus suskaičiavo savo monetas, kol rūkas prarijo kitą krantą. Niekas iš kaimo nebuvo persikėlęs nuo rudens, ir jis jau buvo pradėjęs svarstyti, ar kita pusė apskritai dar yra.",
  ],
  Turkish: [
    62,
    "Yaşlı kayıkçı, sis karşı kıyıyı yutmadan önce paralarını iki kez saydı. Köyden hiç kimse sonbahardan beri karşıya geçmemişti ve öteki tarafın hâlâ orada olup olmadığını merak etmeye başlamıştı.",
  ],
  German: [
    52,
    "Der alte Fährmann zählte seine Münzen zweimal, bevor der Nebel das andere Ufer verschluckte. Niemand aus dem Dorf war seit dem Herbst übergesetzt, und er fragte sich allmählich, ob es die andere Seite noch gab.",
  ],
} as const;

it.each(Object.entries(PROSE))("reserves enough for %s, and not twice what it takes", (_language, [tokens, text]) => {
  const share = estimateTokens(text) / tokens;
  expect(share).toBeGreaterThanOrEqual(1);
  expect(share).toBeLessThan(2);
});
