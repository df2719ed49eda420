"""What tracing costs: each topic measures strut beside native runs and beside the installed peers."""
