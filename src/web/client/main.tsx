import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

createRoot(document.getElementById("page")!).render(
  <StrictMode>
    <main>
      <h1>Fabula</h1>
    </main>
  </StrictMode>,
);
