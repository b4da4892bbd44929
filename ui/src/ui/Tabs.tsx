// Tabs whose choice belongs to the caller, usually to the address.
import * as Radix from '@radix-ui/react-tabs';
import type { ReactNode } from 'react';
import css from './Tabs.module.css';

interface Props<Name extends string> {
  label: string;
  value: Name;
  onChange: (value: Name) => void;
  tabs: { name: Name; title: ReactNode; content: ReactNode }[];
}

export function Tabs<Name extends string>({ label, value, onChange, tabs }: Props<Name>) {
  return (
    <Radix.Root value={value} onValueChange={(name) => onChange(name as Name)}>
      <Radix.List className={css.list} aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.name} value={tab.name} className={css.tab}>
            {tab.title}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.name} value={tab.name} className={css.content}>
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
