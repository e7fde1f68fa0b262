## analysis
