import { describe, expect, it } from "vitest";
import { loadSynonyms, treebankWords } from "./meteor.ts";
import { porterStem } from "./porter-stem.ts";

const STEMS =
  "caresses:caress ponies:poni ties:tie dies:die cats:cat feed:feed agreed:agre plastered:plaster bled:bled motoring:motor sing:sing conflated:conflat troubled:troubl sized:size hopping:hop tanned:tan falling:fall hissing:hiss fizzed:fizz failing:fail filing:file happy:happi sky:sky enjoy:enjoy spied:spi died:die skies:sky dying:die relational:relat conditional:condit rational:ration valenci:valenc hesitanci:hesit digitizer:digit conformably:conform radically:radic differently:differ vileli:vile analogously:analog vietnamization:vietnam predication:predic operator:oper feudalism:feudal decisiveness:decis hopefulness:hope callousness:callous formality:formal sensitivity:sensit sensibility:sensibl triplicate:triplic formative:form formalize:formal electricity:electr electrical:electr hopeful:hope goodness:good revival:reviv allowance:allow inference:infer airliner:airlin gyroscopic:gyroscop adjustable:adjust defensible:defens irritant:irrit replacement:replac adjustment:adjust dependent:depend adoption:adopt communism:commun activate:activ angularity:angular homologous:homolog effective:effect bowdlerize:bowdler probate:probat rate:rate cease:ceas controlling:control rolled:roll archaeology:archaeolog geology:geolog beautifully:beauti yes:ye us:us syzygy:syzygi toy:toy by:by owed:owe used:use innings:inning";

describe("what METEOR is made of", () => {
  it("stems as NLTK 3.8 does", () => {
    for (const pair of STEMS.split(" ")) {
      const [word, stem] = pair.split(":");
      expect(porterStem(word!), word).toBe(stem);
    }
  });

  it.each<[string, string[]]>([
    [
      'He doesn\'t know; John\'s "friend" (the cook) left... "Go!" he said.',
      [
        "He",
        "does",
        "n't",
        "know",
        ";",
        "John",
        "'s",
        "``",
        "friend",
        "''",
        "(",
        "the",
        "cook",
        ")",
        "left",
        "...",
        "``",
        "Go",
        "!",
        "''",
        "he",
        "said",
        ".",
      ],
    ],
    [
      "‘Tis the captain’s dog, isn’t it?",
      ["‘", "Tis", "the", "captain", "’", "s", "dog", ",", "isn", "’", "t", "it", "?"],
    ],
    [
      "I cannot wanna go -- 1,000 times: at 3:30 p.m.",
      ["I", "can", "not", "wan", "na", "go", "--", "1,000", "times", ":", "at", "3:30", "p.m", "."],
    ],
    ["'Twas Mr. Harlow's idea. They'd agree", ["'T", "was", "Mr.", "Harlow", "'s", "idea", ".", "They", "'d", "agree"]],
    ["a,b c,, d #5 100% R&D", ["a", ",", "b", "c", ",", ",", "d", "#", "5", "100", "%", "R", "&", "D"]],
  ])("cuts %j as NLTK 3.8 does", (text, words) => {
    expect(treebankWords(text)).toEqual(words);
  });

  it("ends a sentence at a full stop, but not after an abbreviation or an initial", () => {
    expect(treebankWords("He met Dr. J. Watson. Then he left.")).toEqual(
      "He met Dr. J. Watson . Then he left .".split(" "),
    );
  });

  it("finds synonyms through the base form of a word, and no name written with a capital", async () => {
    const synonyms = await loadSynonyms();
    expect([...synonyms("car")]).toEqual(expect.arrayContaining(["car", "automobile", "motorcar", "gondola"]));
    expect(synonyms("went").has("travel")).toBe(true);
    expect(synonyms("geese").has("goose")).toBe(true);
    expect(synonyms("boxes").has("box")).toBe(true);
    expect(synonyms("germans").has("german")).toBe(false);
    expect([...synonyms("qwertyish")]).toEqual(["qwertyish"]);
  });
});
