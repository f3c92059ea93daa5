import { type ReactNode, useSyncExternalStore } from 'react';
import { Header } from 'react-aria-components/Header';
import { Menu, MenuItem, MenuSection, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Ellipsis } from 'lucide-react';
import { words } from '../words/words.ts';
import { classes } from './classes.ts';
import { Button } from './Button.tsx';
import styles from './ActionMenu.module.css';

interface Action<Key extends string> {
  readonly key: Key;
  readonly label: string;
}

interface ActionGroup<Key extends string> {
  readonly title: string;
  readonly actions: readonly Action<Key>[];
}

interface ActionMenuProps<Key extends string> {
  /** The button that opens the menu. */
  readonly trigger: ReactNode;
  readonly label: string;
  readonly placement: 'top start' | 'bottom end';
  readonly size?: 'normal' | 'small';
  readonly actions: readonly (Action<Key> | ActionGroup<Key>)[];
  readonly onAction: (key: Key) => void;
}

export function ActionMenu<Key extends string>({ trigger, label, placement, size = 'normal', actions, onAction }: ActionMenuProps<Key>) {
  const all = actions.flatMap((entry) => ('actions' in entry ? entry.actions : [entry]));
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={classes(styles.popover)} placement={placement}>
        <Menu
          className={classes(styles.menu, size === 'small' && styles.small)}
          aria-label={label}
          onAction={(pressedKey) => {
            const chosenAction = all.find(({ key }) => key === pressedKey);
            if (chosenAction) onAction(chosenAction.key);
          }}
        >
          {actions.map((entry) =>
            'actions' in entry ? (
              <MenuSection key={entry.title} className={classes(styles.group)}>
                <Header className={classes(styles.title)}>{entry.title}</Header>
                {entry.actions.map(readItem)}
              </MenuSection>
            ) : (
              readItem(entry)
            ),
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

function readItem({ key, label }: Action<string>): ReactNode {
  return (
    <MenuItem key={key} id={key} className={classes(styles.item)}>
      {label}
    </MenuItem>
  );
}

/** Media query for the width of an upright phone. Style sheets use the same limit. */
const NARROW_SCREEN = '(max-width: 480px)';

/** Returns whether the window is as narrow as a phone, for layouts that differ in their elements and not only in their styles. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(NARROW_SCREEN).matches);
}

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(NARROW_SCREEN);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

interface LessCommonActionsProps<Key extends string> {
  readonly actions: readonly { readonly key: Key; readonly label: string; readonly icon?: ReactNode }[];
  readonly onAction: (key: Key) => void;
}

/** Less common actions in the footer. They are separate buttons or, on a phone, one menu, which keeps the footer in one row. */
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
