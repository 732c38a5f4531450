import type { Task } from "./define/task.ts";

/** Every task there is, one line each, by its name with dashes. Each loads when it is asked for. */
export const TASKS = {
  ask: async () => (await import("./books/story.ts")).askTask,
  check: async () => (await import("./books/check.ts")).checkTask,
  "check-texts": async () => (await import("./books/check.ts")).checkTextsTask,
  forecast: async () => (await import("./books/forecast.ts")).forecastTask,
  "forecast-lines": async () => (await import("./books/forecast.ts")).forecastLinesTask,
  map: async () => (await import("./books/map.ts")).mapTask,
  "map-texts": async () => (await import("./books/map.ts")).mapTextsTask,
  notes: async () => (await import("./books/notes.ts")).notesTask,
  "notes-docx": async () => (await import("./books/notes.ts")).annotateTask,
  "notes-texts": async () => (await import("./books/notes.ts")).noteTextsTask,
  "qa-exam": async () => (await import("./qa/questions.ts")).examTask,
  "qa-write": async () => (await import("./qa/questions.ts")).writeQuestionsTask,
  read: async () => (await import("./books/read.ts")).readTask,
  replies: async () => (await import("./books/replies.ts")).repliesTask,
  "rubric-check": async () => (await import("./books/rubric-check.ts")).rubricCheckTask,
  story: async () => (await import("./books/story.ts")).storyTask,
} satisfies Readonly<Record<string, () => Promise<Task>>>;

export type TaskName = keyof typeof TASKS;

export async function loadTask(name: TaskName): Promise<Task> {
  return TASKS[name]();
}

export function isTaskName(name: string): name is TaskName {
  return Object.hasOwn(TASKS, name);
}
