import type { ReactNode } from 'react';
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import styles from './ActionMenu.module.css';
import { classes } from './classes.ts';

interface ActionMenuProps<Key extends string> {
  /** The button that opens it. */
  readonly trigger: ReactNode;
  readonly label: string;
  readonly placement: 'top start' | 'bottom end';
  readonly size?: 'normal' | 'small';
  readonly actions: readonly { readonly key: Key; readonly label: string }[];
  readonly onAction: (key: Key) => void;
}

/** A button with several things to do behind it. */
export function ActionMenu<Key extends string>({ trigger, label, placement, size = 'normal', actions, onAction }: ActionMenuProps<Key>) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={classes(styles.popover)} placement={placement}>
        <Menu
          className={classes(styles.menu, size === 'small' && styles.small)}
          aria-label={label}
          onAction={(pressed) => {
            const chosen = actions.find(({ key }) => key === pressed);
            if (chosen) onAction(chosen.key);
          }}
        >
          {actions.map((action) => (
            <MenuItem key={action.key} id={action.key} className={classes(styles.item)}>
              {action.label}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
