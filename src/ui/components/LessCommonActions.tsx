import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { words } from '../words/words.ts';
import { ActionMenu } from './ActionMenu.tsx';
import { Button } from './Button.tsx';
import { useIsNarrow } from './useIsNarrow.ts';

interface LessCommonActionsProps<Key extends string> {
  readonly actions: readonly { readonly key: Key; readonly label: string; readonly icon?: ReactNode }[];
  readonly onAction: (key: Key) => void;
}

/** What is done less often at the foot of a page: a button each, and on a telephone one menu, so that the foot stays one row. */
export function LessCommonActions<Key extends string>({ actions, onAction }: LessCommonActionsProps<Key>) {
  const isNarrow = useIsNarrow();
  const { more } = words.common;
  if (isNarrow)
    return (
      <ActionMenu
        trigger={<Button icon={<Ellipsis />} aria-label={more} />}
        label={more}
        placement="top start"
        actions={actions}
        onAction={onAction}
      />
    );
  return actions.map(({ key, label, icon }) => (
    <Button key={key} icon={icon} onPress={() => onAction(key)}>
      {label}
    </Button>
  ));
}
