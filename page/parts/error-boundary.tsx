import { Component, type ReactNode } from "react";

interface Props {
  readonly message: string;
  readonly again: string;
  readonly children: ReactNode;
}

/** A view whose file does not arrive (the server was stopped) says so instead of leaving an empty page. */
export class ErrorBoundary extends Component<Props, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    const isMissing = /import|fetch|load/i.test(error.message);
    return (
      <div className="notice problem" role="alert">
        <p>{isMissing ? this.props.message : error.message}</p>
        <button type="button" onClick={() => window.location.reload()}>
          {this.props.again}
        </button>
      </div>
    );
  }
}
