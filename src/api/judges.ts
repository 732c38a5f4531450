/** The web app shows a judge as reports do. */
export { judgeInWords } from "../core/wording.ts";
