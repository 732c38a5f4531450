import { describe, expect, it } from "vitest";
import type { ChatModel, ChatRequest } from "../models/chat-model.ts";
import { ModelError } from "../models/model-error.ts";
import { documentSchema, type QaDocument } from "./dataset/document.ts";
import { editDistance } from "./dataset/edit-distance.ts";
import { applyReview, changesToReview, droppedSchema, refineQuestion, removeDuplicates } from "./refinement.ts";

const document = documentSchema.parse({
  document_id: "d1",
  title: "The Salt Ledger",
  summary: "Ines finds the cost of a funeral in the ledger. Her brother Tomas is to drown.",
  qas: [
    { question: "What do Ines find?", answers: ["The cost of a funeral", "a funeral cost"] },
    { question: "Who is to drown?", answers: ["Tomas", "her brothr"] },
    { question: "Who are Ines?", answers: ["a bookkeper", "a bookkeeper"] },
    { question: "Where is the ledger?", answers: ["in the office"] },
  ],
});

const CORRECTIONS: Readonly<Record<string, string>> = {
  "What do Ines find?": "What does Ines find?",
  "her brothr": "her brother",
  "Who are Ines?": "Who is Ines?",
  "a bookkeper": "a bookkeeper",
};

/** An editor that knows four faults, and fails to answer about the office. */
const editor: ChatModel = {
  id: "editor",
  contextTokens: null,
  async complete(request: ChatRequest) {
    const user = request.messages.at(-1)!.content;
    const material = [...user.matchAll(/<<<(\w+) (\w+)>>>\n([\s\S]*?)\n<<<END \1 \2>>>/g)];
    const [, name, , text] = material.at(-1)!;
    if (text === "in the office") throw new ModelError("server", "editor", "the server was down");
    const correction = CORRECTIONS[text!] ?? null;
    const reply = { acceptable: correction === null, reason: correction ? `${name} at fault` : "", correction };
    return {
      text: JSON.stringify(reply),
      reasoning: null,
      stop: "stop",
      usage: { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 },
      model: "editor",
      latencyMilliseconds: 0,
    };
  },
};
const never = new AbortController().signal;
const refine = (position: number) => refineQuestion(document, position, editor, never);

describe("refinement", () => {
  it("corrects a question and keeps its original, the reason and the distance", async () => {
    const { outcome, question, changes } = await refine(0);
    expect(outcome).toBe("corrected");
    expect(question).toMatchObject({ question: "What does Ines find?", is_question_modified: true });
    expect(question.is_answer_modified).toEqual([false, false]);
    expect(changes).toMatchObject([
      {
        target: "question",
        answer: null,
        original: "What do Ines find?",
        reason: "question at fault",
        edit_distance: 2,
      },
    ]);
  });

  it("corrects one answer and leaves the other alone", async () => {
    const { question, changes } = await refine(1);
    expect(question.answers).toEqual(["Tomas", "her brother"]);
    expect(question.is_answer_modified).toEqual([false, true]);
    expect(changes).toMatchObject([{ target: "answer", answer: 1, original: "her brothr", edit_distance: 1 }]);
  });

  it("drops a sample whose question and answer both needed corrections, but says what was proposed", async () => {
    const { outcome, changes } = await refine(2);
    expect(outcome).toBe("dropped");
    expect(changes.map(({ correction }) => correction)).toEqual(["Who is Ines?", "a bookkeeper"]);
  });

  it("keeps what could not be checked, and says so", async () => {
    const { outcome, question, unchecked } = await refine(3);
    expect(outcome).toBe("unchanged");
    expect(question).toEqual(document.qas[3]);
    expect(unchecked).toMatchObject([{ reason: "the server was down" }]);
  });

  it("can be taken back change by change by a reviewer", async () => {
    const refined: QaDocument = { ...document, qas: [(await refine(0)).question, (await refine(1)).question] };
    const review = changesToReview([refined]);
    expect(review).toHaveLength(2);
    expect(new Set(review.map(({ id }) => id)).size).toBe(2);
    const decided = review.map((change, index) => ({ ...change, decision: index === 0 ? ("reject" as const) : null }));
    const { documents, rejected, undecided } = applyReview([refined], decided);
    expect({ rejected, undecided }).toEqual({ rejected: 1, undecided: 1 });
    expect(documents[0]!.qas[0]).toMatchObject({
      question: "What do Ines find?",
      is_question_modified: false,
      changes: [],
    });
    expect(documents[0]!.qas[1]).toEqual(refined.qas[1]);
  });
});

describe("a sample that was dropped because question and answer both changed", () => {
  const change = (target: "question" | "answer", original: string, correction: string) => ({
    id: `d/q/${target}`,
    target,
    answer: target === "answer" ? 0 : null,
    original,
    correction,
    reason: "a typo",
    edit_distance: 1,
  });
  const changes = [change("question", "Who dorwns?", "Who drowns?"), change("answer", "tomsa", "Tomas")];
  const book = documentSchema.parse({ document_id: "d", title: "T", summary: "S", qas: [] });
  const dropped = [
    droppedSchema.parse({ document_id: "d", title: "T", question: "Who drowns?", answers: ["Tomas"], changes }),
  ];
  const review = (...decisions: ("accept" | "reject" | null)[]) =>
    changesToReview([book], dropped).map((row, at) => ({ ...row, decision: decisions[at]! }));

  it("is in the review file with both changes and why", () => {
    expect(changesToReview([book], dropped)).toMatchObject([
      { outcome: "dropped", original: "Who dorwns?", correction: "Who drowns?", reason: "a typo", decision: null },
      { outcome: "dropped", original: "tomsa", correction: "Tomas" },
    ]);
  });

  it.each([
    ["stays out while a change is undecided", ["accept", null], []],
    ["comes back corrected", ["accept", "accept"], [["Who drowns?", "Tomas"]]],
    ["comes back as it was", ["reject", "reject"], [["Who dorwns?", "tomsa"]]],
    ["comes back with the accepted change alone", ["accept", "reject"], [["Who drowns?", "tomsa"]]],
  ] as const)("%s", (_name, decisions, expected) => {
    const { documents, restored } = applyReview([book], review(...decisions), dropped);
    expect(documents[0]!.qas.map(({ question, answers }) => [question, answers[0]])).toEqual(expected);
    expect(restored).toBe(expected.length);
  });
});

describe("near-identical questions", () => {
  const pairs = documentSchema.parse({
    document_id: "d2",
    title: "T",
    summary: "",
    qas: [
      { question: "Who finds the ledger in the office?", answers: ["Ines"] },
      { question: "Who finds the ledger in the office first?", answers: ["Ines Calder"] },
      { question: "What happens to a man deemed innocent?", answers: ["He goes free"] },
      { question: "What happens to a man deemed guilty?", answers: ["prison"] },
    ],
  });

  it("lose the later one, unless the answers disagree", () => {
    const { documents, duplicates, removed } = removeDuplicates([pairs], { threshold: 0.8 });
    expect(removed).toBe(1);
    expect(documents[0]!.qas.map(({ question }) => question)).not.toContain(
      "Who finds the ledger in the office first?",
    );
    expect(duplicates.map(({ decision }) => decision)).toEqual(["remove", "keep"]);
  });

  it("follow a reviewer's decision over the rule", () => {
    const { duplicates } = removeDuplicates([pairs], { threshold: 0.8 });
    const decisions = duplicates.map((pair) => ({
      ...pair,
      decision: pair.decision === "keep" ? ("remove" as const) : ("keep" as const),
    }));
    const { documents } = removeDuplicates([pairs], { threshold: 0.8, decisions });
    expect(documents[0]!.qas).toHaveLength(3);
    expect(documents[0]!.qas.map(({ question }) => question)).not.toContain("What happens to a man deemed guilty?");
  });
});

describe("edit distance", () => {
  it.each([
    ["kitten", "sitting", 3],
    ["", "abc", 3],
    ["same", "same", 0],
    ["a😀b", "ab", 1],
  ])("between %j and %j is %d", (left, right, distance) => {
    expect(editDistance(left, right)).toBe(distance);
    expect(editDistance(right, left)).toBe(distance);
  });
});
