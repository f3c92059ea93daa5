import type { ReactNode } from 'react';
import { Header } from 'react-aria-components/Header';
import { Menu, MenuItem, MenuSection, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import styles from './ActionMenu.module.css';
import { classes } from './classes.ts';

interface Action<Key extends string> {
  readonly key: Key;
  readonly label: string;
}

/** Actions of one kind, under a heading. */
interface ActionGroup<Key extends string> {
  readonly title: string;
  readonly actions: readonly Action<Key>[];
}

interface ActionMenuProps<Key extends string> {
  /** The button that opens it. */
  readonly trigger: ReactNode;
  readonly label: string;
  readonly placement: 'top start' | 'bottom end';
  readonly size?: 'normal' | 'small';
  readonly actions: readonly (Action<Key> | ActionGroup<Key>)[];
  readonly onAction: (key: Key) => void;
}

/** A button with several things to do behind it. */
export function ActionMenu<Key extends string>({ trigger, label, placement, size = 'normal', actions, onAction }: ActionMenuProps<Key>) {
  const all = actions.flatMap((entry) => ('actions' in entry ? entry.actions : [entry]));
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={classes(styles.popover)} placement={placement}>
        <Menu
          className={classes(styles.menu, size === 'small' && styles.small)}
          aria-label={label}
          onAction={(pressed) => {
            const chosen = all.find(({ key }) => key === pressed);
            if (chosen) onAction(chosen.key);
          }}
        >
          {actions.map((entry) =>
            'actions' in entry ? (
              <MenuSection key={entry.title} className={classes(styles.group)}>
                <Header className={classes(styles.title)}>{entry.title}</Header>
                {entry.actions.map(itemOf)}
              </MenuSection>
            ) : (
              itemOf(entry)
            ),
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

function itemOf({ key, label }: Action<string>): ReactNode {
  return (
    <MenuItem key={key} id={key} className={classes(styles.item)}>
      {label}
    </MenuItem>
  );
}
