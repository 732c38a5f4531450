import { beforeAll, expect, it } from "vitest";
import { loadRubric } from "../criteria/load-rubric.ts";
import { loadAspectVocabulary } from "./aspect-vocabulary.ts";
import { type AspectMapper, aspectMapper } from "./map-aspect.ts";

/** The names of Table 9 of the LongStoryEval paper, by where it puts them. */
const NAMES: Readonly<Record<string, string>> = {
  "plot-development":
    "Plot Development, Story Development, Plot Progression, Development, Plot Complexity, Complexity, Plot Twists, Turns, Surprises, Surprise, Plot Predictability, Plot Intensity, Plot Conflict, Conflict, Resolution, Plot Resolution, Conflict Resolution, Pacing, Pace, Plot Clarity",
  "plot-structure":
    "Plot Structure, Story Structure, Subplots, Timelines, Flow, Narrative Perspective, Plot Elements, Beginning, Middle, Climax, Plot Completion, Plot Coherence, Coherence, Plot Continuity, Consistency, Cohesion, Logic",
  "plot-ending": "Ending, Epilogue, Endings, Closure, Cliffhanger, Conclusion",
  "character-development":
    "Character Development, Character Progression, Backstories, Motivations, Character Dynamics, Character Growth, Character Arcs, Character Behavior",
  characterisation:
    "Characterization, Character Representation, Character Appeal, Character Appreciation, Character Identification, Character Realism, Character Relatability, Character Engagement, Character Depth, Character Complexity, Protagonist, Main Characters, Main Character, Character Focus, Character Introduction",
  "character-relationships":
    "Character Relationships, Character Connection, Interactions, Friendships, Character Interactions, Chemistry, Intimacy, Romance and Relationships, Relationship Development, Family Dynamics, Relationship Dynamics",
  "character-diversity":
    "Character Diversity, Supporting Characters, Secondary Characters, Side Characters, Character Perspectives, Character Perspective, Character Management",
  "writing-style":
    "Writing Style, Style, Author's Style, Author's Writing Style, Narrative Style, Author's Skill, Atmosphere, Tone, Author's Tone, Trope, Tropes, Writing Elements, Descriptions, Prose, Imagery, Dialogue, Dialogues",
  "writing-language": "Grammar, Language Usage, Vocabulary, Fluency, Repetition, Repetitiveness, Author's Reputation",
  "writing-readability": "Readability, Clarity, Accessibility, Length",
  "theme-exploration":
    "Thematic Elements, Topics, Point of View, Thematic Content, Symbolism, Motifs, Messages, Thematic Exploration, Themes Exploration",
  "theme-depth": "Thematic Depth, Social Commentary, Educational Value, Influences",
  "world-building":
    "World-Building, Worldbuilding, World Building, Realism, Cultural Realism, Magic System, Magic, Magic Systems",
  "world-setting":
    "Historical Accuracy, Historical Setting, Historical Context, Time Period, Cultural Elements, Cultural References, Cultural Context, Cultural Representation, Technological Elements",
  "emotion-empathy": "Emotional Response, Personal Connection, Emotional Resonance",
  "emotion-depth": "Emotional Depth, Emotional Range",
  "enjoyment-pleasure":
    "Enjoyment, Overall Impression, Overall Impact, Excitement, Appeal, Story Enjoyment, Interest, Humor, Anticipation for Future Works, Future Interest, Intrigue, Anticipation for Future Book, Sequel Potential",
  "enjoyment-engagement":
    "Engagement, Reader Engagement, Personal Engagement, Immersion, Story Engagement, Overall Experience, Reading Experience",
  "expectation-genre":
    "Genre Expectation, Genre Appeal, Genre Preference, Audience Appeal, Genre Suitability, Romantic Elements, Thrill, Horror Elements, Fantasy Elements, Historical, Suspense, Tension, Scare Factor, Genre Elements, Genre Classification, Mystery",
  "expectation-premise": "Premise Expectations, Premise Expectation, Story Premise",
  expectation: "Title Relevance",
  originality: "Originality, Creativity, Uniqueness, Originality and Creativity, Unique Elements",
  "content-warnings": "Content Warnings, Warnings, Trigger Warnings",
  design: "Designment, Cover, Cover Design",
  "personal-bias": "Personal Preference, Personal Experience",
};

/** The aspects themselves, as the paper and its data name them. */
const WHOLES: Readonly<Record<string, string>> = {
  plot: "Plot and Storyline",
  characters: "Characters",
  writing: "Writing & Language, Writing and Language",
  themes: "Themes",
  world: "World-Building & Setting, World-Building and Setting",
  emotion: "Emotional Impact",
  enjoyment: "Enjoyment & Engagement, Enjoyment and Engagement",
  expectation: "Expectation Fulfillment",
};

let map: AspectMapper;
beforeAll(async () => {
  map = aspectMapper(await loadAspectVocabulary(), await loadRubric("long-story"));
});

it.each([...Object.entries(NAMES), ...Object.entries(WHOLES)])(
  "every name of the paper's table of criteria is mapped: %s",
  (id, names) => {
    const places = names.split(", ").map((name) => {
      const place = map(name);
      const found =
        place.kind === "aspect" ? (place.part ?? place.aspect) : place.kind === "other" ? place.other : null;
      return [name, found];
    });
    expect(places).toEqual(names.split(", ").map((name) => [name, id]));
  },
);
