// An open dialog lies above everything else in the page; what should be seen over it has to be inside it.
import { createContext } from 'react';

export const TopLayer = createContext<HTMLElement | null>(null);
