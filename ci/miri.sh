#!/usr/bin/env bash
echo "skipped: not there yet"; echo "0 passed, 0 failed"
