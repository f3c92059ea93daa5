import { KeyRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { EmptyState } from '../components/EmptyState.tsx';
import { Page, Stack } from '../components/Page.tsx';
import { words } from '../words/words.ts';

/** Another open page answers at once when it is asked for the token. */
const ANSWER_LIMIT_MS = 400;

/** In place of everything, the rail too: for a page of web mode that the backend does not let in. */
export function RefusedPage() {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), ANSWER_LIMIT_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isSettled) return null;
  const { title, heading, text, address, again, file } = words.app.refused;
  return (
    <main>
      <Page title={title}>
        <Stack gap={24}>
          <EmptyState icon={<KeyRound size={32} />} title={heading} action={<code>{address(location.origin)}</code>}>
            {text}
          </EmptyState>
          <Stack gap={8}>
            <p>{again}</p>
            <p>{file(location.port)}</p>
          </Stack>
        </Stack>
      </Page>
    </main>
  );
}
