import { Component, type ReactNode } from 'react';
import { Button } from '../components/Button.tsx';
import { Banner } from '../components/Banner.tsx';
import { CopyButton } from '../components/CopyButton.tsx';
import { words } from '../words/words.ts';

interface CrashGuardProps {
  readonly children: ReactNode;
  /** A crash on one page does not outlive it. */
  readonly page: string;
}

interface CrashGuardState {
  readonly page: string;
  /** What to send with a report; null while nothing crashed. */
  readonly details: string | null;
}

/** Keeps a fault of one page from taking the whole app with it. */
export class CrashGuard extends Component<CrashGuardProps, CrashGuardState> {
  override state: CrashGuardState = { page: this.props.page, details: null };

  static getDerivedStateFromProps({ page }: CrashGuardProps, state: CrashGuardState): CrashGuardState | null {
    return page === state.page ? null : { page, details: null };
  }

  static getDerivedStateFromError(thrown: unknown): Pick<CrashGuardState, 'details'> {
    return { details: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) };
  }

  override render(): ReactNode {
    const { details } = this.state;
    if (details === null) return this.props.children;
    const { title, text, reload } = words.app.crashed;
    return (
      <Banner
        tone="breaks"
        title={title}
        announce="alert"
        actions={
          <>
            <Button onPress={() => location.reload()}>{reload}</Button>
            <CopyButton text={details} label={words.common.copyDetails} />
          </>
        }
      >
        {text}
      </Banner>
    );
  }
}
