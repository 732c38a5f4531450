/** The languages of the web app. */
export type Language = "en" | "zh";
