import { ChevronDown } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select';
import { Text } from 'react-aria-components/Text';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import field from './Field.module.css';
import styles from './Select.module.css';

export interface Choice<V extends string> {
  readonly value: V;
  readonly label: string;
}

export interface SelectProps<V extends string> {
  readonly label: string;
  readonly hideLabel?: boolean;
  /** Places the label beside the field, as in the head of a card. */
  readonly isBeside?: boolean;
  readonly value: V;
  readonly choices: readonly Choice<V>[];
  readonly onChange: (value: V) => void;
  readonly help?: ReactNode;
  readonly isDisabled?: boolean;
}

export function Select<V extends string>(props: SelectProps<V>) {
  const { label, hideLabel, isBeside, value, choices, onChange, help, isDisabled = false } = props;
  return (
    <AriaSelect
      className={classes(field.field, isBeside && styles.beside)}
      value={value}
      isDisabled={isDisabled}
      onChange={(key) => {
        const chosen = choices.find((choice) => choice.value === key);
        if (chosen) onChange(chosen.value);
      }}
    >
      <Label className={classes(field.label, hideLabel && 'only-read-out')}>{label}</Label>
      <Button className={classes(styles.button)}>
        <SelectValue className={classes(styles.value)} />
        <ChevronDown size={16} aria-hidden="true" />
      </Button>
      {help ? (
        <Text slot="description" className={classes(field.help)}>
          {help}
        </Text>
      ) : null}
      <Popover className={classes(styles.popover)}>
        <ListBox className={classes(styles.list)} items={choices.map((choice) => ({ ...choice, id: choice.value }))}>
          {(choice) => (
            <ListBoxItem className={classes(styles.item)} id={choice.id} textValue={choice.label}>
              {choice.label}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
