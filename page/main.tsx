import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { loadFirstLanguage, PreferencesProvider } from "./texts/preferences.tsx";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/parts.css";

const root = document.getElementById("page");
if (!root) throw new Error("index.html has no element with the id `page`");

await loadFirstLanguage();

createRoot(root).render(
  <StrictMode>
    <PreferencesProvider>
      <App />
    </PreferencesProvider>
  </StrictMode>,
);
