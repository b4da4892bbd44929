// A few words about something, on hover and on focus. Needs the provider in main.tsx.
import * as Radix from '@radix-ui/react-tooltip';
import type { ReactNode } from 'react';
import css from './Tooltip.module.css';

export const TooltipProvider = Radix.Provider;

export function Tooltip({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={css.tooltip} sideOffset={6} collisionPadding={8}>
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
