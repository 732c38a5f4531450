/** The public library: everything here is meant to be used by other programs and stays stable. */
export { FabulaError } from "./core/errors.ts";
export { averageVerdicts, isScored, scored, unscored, type Verdict, verdictSchema } from "./core/verdict.ts";
export { askForJson, type JsonAnswer } from "./models/ask-for-json.ts";
export type { ChatMessage, ChatModel, ChatReply, ChatRequest, TokenUsage } from "./models/chat-model.ts";
export { createChatModel, type ModelConnections } from "./models/create-chat-model.ts";
export { ModelError, type ModelFailure } from "./models/model-error.ts";
export { type JsonReading, readJsonReply } from "./models/read-json-reply.ts";
export type { Forecast, Forecaster, NoForecast } from "./reader/forecast/forecast.ts";
export type { ForecastInput } from "./reader/forecast/forecast-input.ts";
export { loadForecaster } from "./reader/forecast/load-forecaster.ts";
export { mapBounded } from "./runner/map-bounded.ts";
export { type FinishedRun, openRun, type Run, type RunServices, type RunSettings } from "./runner/open-run.ts";
export type { RunnerEvent } from "./runner/runner-event.ts";
